// switch in a loop: break leaves the switch, continue goes on with the loop; nested switch.
#include <stdio.h>

int main(void)
{
    const char *program = "++[-]*+.x+";
    int acc = 0, depth = 0;

    for (const char *p = program; *p; p++) {
        switch (*p) {
        case '+':
            acc++;
            break;
        case '-':
            acc--;
            break;
        case '[':
        case ']':
            switch (*p) {
            case '[':
                depth++;
                break;
            default:
                depth += 10;
            }
            continue;
        case '*':
            acc *= 5;
            continue;
        case '.':
            printf("out %d\n", acc);
            break;
        case 'x':
            goto end;
        }
        printf("%c %d\n", *p, acc);
    }
end:
    printf("%d %d\n", acc, depth);
    return 0;
}
