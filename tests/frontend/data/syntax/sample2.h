#pragma once
#include "base.h"

class SHOP_API Shop : public Base {
    Q_OBJECT
 public:
    SHOP_DEPRECATED void open(int when) noexcept;
};
