#include <stdio.h>
#include "shop/prices.h"

#ifndef SHOP_GUARD
#define SHOP_GUARD
#define LIMIT 10
/* Doubles. */
#define TWICE(x) \
    ((x) * 2)

// A point.
struct point {
    int x;
    struct inner { int deep; } in;
};

typedef struct {
    int a;
} anonymous_t;

typedef unsigned long size_type, *size_pointer;
typedef int (*callback)(void *data);

enum colour { RED, GREEN = 2 };

union bits { int i; float f; };

extern int external;
static const char *names[] = {
    "a",
};
int first = 1, second;

/* Adds. */
SHOP_API int
add(int a, int b)
{
    struct point local;
    int nested(int);
    return a + b;
}

static inline struct point *make(void) { return 0; }
int prototype(int a, char *b);
void (*pointer_to_function)(int);
char *(*returns_pointer(int a))(void);

#endif
