// Movement: all that moves from one state to the next moves together.

const DURATION = 260;
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Calls steps with a part from 0 to 1 until it is 1; a new movement replaces the one before, which is finished first. */
export class Motion {
  #frame = null;
  #steps = [];

  start(steps) {
    this.finish();
    this.#steps = steps;
    if (still.matches || document.hidden || steps.length === 0) return this.finish();
    const begun = performance.now();
    const go = (now) => {
      const part = Math.min(1, Math.max(0, (now - begun) / DURATION));
      if (part === 1) return this.finish();
      const eased = part < 0.5 ? 4 * part ** 3 : 1 - (2 - 2 * part) ** 3 / 2;
      for (const step of this.#steps) step(eased);
      this.#frame = requestAnimationFrame(go);
    };
    this.#frame = requestAnimationFrame(go);
  }

  finish() {
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    this.#frame = null;
    const steps = this.#steps;
    this.#steps = [];
    for (const step of steps) step(1);
  }

  get isMoving() {
    return this.#frame !== null;
  }
}
