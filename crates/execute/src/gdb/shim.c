/* Linked into every program that runs under gdb.
 *
 * The linker sends the user's own calls of malloc and its relatives here
 * (--wrap), also those through function pointers; the C library keeps its own
 * allocator. Blocks come from one large reservation, are never reused, and are
 * listed in a table in order of allocation, so that a debugger can tell each
 * block, its size, who asked for it and whether it was freed, and recognises a
 * pointer to a freed block for ever.
 */
#define _GNU_SOURCE
#include <cpuid.h>
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct wolverine_block {
    uint64_t address, size, caller;
};

/* Everything the debugger reads, in one place. */
struct wolverine_heap {
    uint64_t arena;  /* first byte of the reservation */
    uint64_t next;   /* first byte not handed out yet */
    uint64_t end;    /* end of the reservation */
    uint64_t blocks; /* struct wolverine_block[count], sorted by address */
    uint64_t freed;  /* char[count]: 1 when freed */
    uint64_t count;
    uint64_t limit;  /* how many blocks the table has room for */
    uint64_t reason; /* 1: block freed twice, 2: something else freed, 3: assertion failed */
    uint64_t culprit; /* the address that was freed, or the text of the assertion */
    uint64_t exit_function; /* where every program ends */
    uint64_t argument_count, arguments; /* of main */
    uint64_t input; /* the FILE of standard input, if the debugger knows its parts */
} wolverine_heap;

#define HEAP wolverine_heap
#define BLOCKS ((struct wolverine_block *)HEAP.blocks)
#define FREED ((char *)HEAP.freed)
#define CALLER ((uint64_t)__builtin_return_address(0))

void __real_free(void *);
void *__real_malloc(size_t);
void *__real_realloc(void *, size_t);
extern char __executable_start, end;

static void *reserve(uint64_t size)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/* Under a limit of address space the reservation shrinks until it fits. */
static void set_up(void)
{
    uint64_t size = 1ull << 40, limit = 1ull << 30;
    void *arena = NULL;
    while (size >= 1 << 20 && !(arena = reserve(size)))
        size /= 2;
    while (limit * sizeof(struct wolverine_block) > size)
        limit /= 2;
    while (limit > 1024 && !(HEAP.blocks = (uint64_t)reserve(limit * sizeof(struct wolverine_block))))
        limit /= 2;
    HEAP.freed = (uint64_t)reserve(limit);
    HEAP.arena = HEAP.next = (uint64_t)arena;
    HEAP.end = HEAP.arena + size;
    HEAP.limit = HEAP.blocks && HEAP.freed ? limit : 0;
}

__attribute__((constructor(101))) static void wolverine_start(int count, char **arguments)
{
    /* Output appears with the statement that writes it. */
    setvbuf(stdout, NULL, _IONBF, 0);
    /* gdb starts programs in the background, where they cannot read from a terminal. */
    if (isatty(0))
        setpgid(0, getpgid(getppid()));
    HEAP.exit_function = (uint64_t)_exit;
    /* The program is called by its name; where it was built is nobody's business. */
    char *slash = count > 0 ? strrchr(arguments[0], '/') : NULL;
    if (slash)
        arguments[0] = slash + 1;
#ifdef __GLIBC__
    HEAP.input = (uint64_t)stdin;
#else
    setvbuf(stdin, NULL, _IONBF, 0);
#endif
    HEAP.argument_count = count;
    HEAP.arguments = (uint64_t)arguments;
    if (!HEAP.arena)
        set_up();
}

static void *take(uint64_t size, uint64_t align, uint64_t caller)
{
    if (!HEAP.arena)
        set_up();
    uint64_t address = (HEAP.next + align - 1) / align * align;
    if (HEAP.count == HEAP.limit || size > HEAP.end - HEAP.arena || address + size + 32 > HEAP.end) {
        errno = ENOMEM;
        return NULL;
    }
    struct wolverine_block block = {address, size, caller};
    BLOCKS[HEAP.count] = block;
    FREED[HEAP.count++] = 0;
    HEAP.next = (address + size + 31) / 16 * 16;
    return (void *)address;
}

/* The number of the block that begins at `address`, or -1. */
static int64_t find(uint64_t address)
{
    uint64_t low = 0, high = HEAP.count;
    while (low < high) {
        uint64_t middle = (low + high) / 2;
        if (BLOCKS[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < HEAP.count && BLOCKS[low].address == address ? (int64_t)low : -1;
}

static void refuse(uint64_t address, uint64_t reason)
{
    const char *message = reason == 1 ? "free(): double free detected in tcache 2\n" : "free(): invalid pointer\n";
    HEAP.reason = reason;
    HEAP.culprit = address;
    if (write(2, message, strlen(message)) < 0)
        (void)0;
    abort();
}

static int in_arena(uint64_t address)
{
    return address >= HEAP.arena && address < HEAP.end;
}

/* The program's own variables and the stack are never heap blocks. */
static int is_variable(uint64_t address)
{
    char here;
    int image = address >= (uint64_t)&__executable_start && address < (uint64_t)&end;
    return image || address >= (uint64_t)&here;
}

static void release(uint64_t number)
{
    FREED[number] = 1;
    /* Nobody should keep gigabytes of freed memory; small blocks keep their bytes. */
    uint64_t first = (BLOCKS[number].address + 4095) / 4096 * 4096;
    uint64_t last = (BLOCKS[number].address + BLOCKS[number].size) / 4096 * 4096;
    if (BLOCKS[number].size >= 1 << 20 && first < last)
        madvise((void *)first, last - first, MADV_DONTNEED);
}

void __wrap_free(void *pointer)
{
    uint64_t address = (uint64_t)pointer;
    if (!pointer)
        return;
    if (!in_arena(address)) {
        if (is_variable(address) || address < 65536)
            refuse(address, 2);
        __real_free(pointer);
        return;
    }
    int64_t number = find(address);
    if (number < 0)
        refuse(address, 2);
    if (FREED[number])
        refuse(address, 1);
    release(number);
}

void *__wrap_malloc(size_t size)
{
    return take(size, 16, CALLER);
}

/* Fresh pages of the reservation are zero. */
void *__wrap_calloc(size_t count, size_t size)
{
    size_t total;
    if (__builtin_mul_overflow(count, size, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    return take(total, 16, CALLER);
}

static void *resize(void *pointer, size_t size, uint64_t caller)
{
    uint64_t address = (uint64_t)pointer;
    if (!pointer)
        return take(size, 16, caller);
    if (!in_arena(address)) {
        if (is_variable(address) || address < 65536)
            refuse(address, 2);
        return __real_realloc(pointer, size);
    }
    int64_t number = find(address);
    if (number < 0 || FREED[number])
        refuse(address, number < 0 ? 2 : 1);
    void *fresh = NULL;
    if (size && !(fresh = take(size, 16, caller)))
        return NULL;
    if (fresh)
        memcpy(fresh, pointer, size < BLOCKS[number].size ? size : BLOCKS[number].size);
    release(number);
    return fresh;
}

void *__wrap_realloc(void *pointer, size_t size)
{
    return resize(pointer, size, CALLER);
}

void *__wrap_reallocarray(void *pointer, size_t count, size_t size)
{
    size_t total;
    if (__builtin_mul_overflow(count, size, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    return resize(pointer, total, CALLER);
}

void *__wrap_aligned_alloc(size_t align, size_t size)
{
    return take(size, align < 16 ? 16 : align, CALLER);
}

int __wrap_posix_memalign(void **result, size_t align, size_t size)
{
    void *memory = take(size, align < 16 ? 16 : align, CALLER);
    if (!memory)
        return ENOMEM;
    *result = memory;
    return 0;
}

static char *copy(const char *text, size_t length, uint64_t caller)
{
    char *result = take(length + 1, 16, caller);
    if (result) {
        memcpy(result, text, length);
        result[length] = 0;
    }
    return result;
}

char *__wrap_strdup(const char *text)
{
    return copy(text, strlen(text), CALLER);
}

char *__wrap_strndup(const char *text, size_t size)
{
    return copy(text, strnlen(text, size), CALLER);
}

void __real___assert_fail(const char *, const char *, unsigned, const char *);

void __wrap___assert_fail(const char *text, const char *file, unsigned line, const char *function)
{
    HEAP.reason = 3;
    HEAP.culprit = (uint64_t)text;
    __real___assert_fail(text, file, line, function);
}

/* For what the debugger calls: the program's own stack may be full. */
char wolverine_stack[16384] __attribute__((aligned(16)));

/* Called by the debugger: room for text that the user typed. */
void *wolverine_keep(size_t size)
{
    return __real_malloc(size);
}

/* The registers of floating values. The debugger itself cannot write them on
 * every processor. */
static char vectors[4096] __attribute__((aligned(64)));
#define VECTORS "a"(0xe7), "d"(0)

static int can_save_all(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c >> 27 & 1);
}

/* Called by the debugger when it remembers a moment inside of a statement. */
void wolverine_save_vectors(void)
{
    if (can_save_all())
        __asm__ volatile("xsave64 %0" : "+m"(vectors) : VECTORS);
    else
        __asm__ volatile("fxsave64 %0" : "+m"(vectors));
}

/* Called by the debugger when it goes back to such a moment. */
void wolverine_load_vectors(void)
{
    if (can_save_all())
        __asm__ volatile("xrstor64 %0" : : "m"(vectors), VECTORS);
    else
        __asm__ volatile("fxrstor64 %0" : : "m"(vectors));
}

/* Called by the debugger for a floating argument or result. */
void wolverine_set_vector(uint64_t number, uint64_t bits)
{
    switch (number) {
#define VECTOR(n) case n: __asm__ volatile("movq %0, %%xmm" #n : : "r"(bits)); break;
    VECTOR(0) VECTOR(1) VECTOR(2) VECTOR(3) VECTOR(4) VECTOR(5) VECTOR(6) VECTOR(7)
    }
}

/* Called by the debugger when it goes back in time. */
int64_t wolverine_seek(int file, int64_t offset)
{
    return lseek(file, offset, SEEK_SET);
}

/* Called by the debugger when memory is gone that it must fill again. */
uint64_t wolverine_map(uint64_t address, uint64_t size)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
    return (uint64_t)mmap((void *)address, size, PROT_READ | PROT_WRITE, flags, -1, 0);
}

/* Where a call returns to that the debugger waits for: it puts this address in
 * place of the return address, and the old one back when it gets here. */
__asm__(".text\n.globl wolverine_return\nwolverine_return:\n nop\n ud2\n");
