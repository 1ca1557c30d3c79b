#ifndef SHOP_H
#define SHOP_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SHOP_VERSION "1.0"

typedef struct shop shop_t;

/* Opens. */
SHOP_EXPORT shop_t *shop_open(const char *name) SHOP_NOEXCEPT;
void shop_close(shop_t *shop) __attribute__((nonnull(1)));

#ifdef __cplusplus
}
#endif
#endif
