// Package shop sells.
package shop

import "fmt"

import (
	"net/http"
	alias "example.com/x/y"
	_ "embed"
)

// Limit is the most.
const Limit = 10

const (
	First = iota // one
	Second
)

var ErrClosed, ErrOpen = errors.New("closed"), errors.New("open")

// Shop is a shop.
type Shop struct {
	Name string
}

type (
	// Seller sells.
	Seller interface {
		Sell(n int) error
	}
	ID = string
)

type Handler func(w http.ResponseWriter)

// New makes one.
//
// With care.
func New(name string) (*Shop, error) {
	const local = 1
	helper := func() {}
	return &Shop{}, nil
}

func (s *Shop) Open(
	when int,
) error { return nil }

func (l List[T]) Len() int { return 0 }

func external(x int) int
