#include <vector>
#include "shop.hpp"

using namespace std;
using Id = unsigned long;

namespace shop {
namespace inner::deep {

/// A seller.
class SHOP_EXPORT Seller : public Base {
 public:
  explicit Seller(int n) : n_(n) {}
  virtual ~Seller() = default;
  virtual bool sell(int n) const = 0;
  bool operator==(const Seller& other) const { return true; }
  static constexpr int kMax = 3;
  struct Nested { int x; };
  template <typename T>
  T cast() const {
    return T();
  }
  void declared(int a);

 private:
  int n_;
};

enum class Colour { Red, Green };

}  // namespace inner::deep

template <typename T, typename U = int>
struct Pair {
  T first;
};

template <>
struct Pair<int, int> {};

// Out of class.
template <typename T>
T Pair<T>::get(int i) const {
  auto lambda = [](int x) { return x; };
  Local object(1);
  return first;
}

void inner::deep::Seller::declared(int a) {}

constexpr int kLimit = 10;
const std::vector<int> kTable = {
    1,
};
concept Small = sizeof(int) < 8;

}  // namespace shop

extern "C" {
int c_function(void);
void c_body(void) {}
}

#define SHOP_MACRO(x) x
union Bits { int a; };
typedef std::vector<int> Ints;
