# frozen_string_literal: true
require "json"
require_relative "shop/prices"
load 'tasks.rb'
autoload :Late, "shop/late"

# A shop.
module Shop
  LIMIT = 10

  # Sells.
  class Seller < Base
    include Comparable
    attr_reader :name

    # Makes one.
    def initialize(name)
      @name = name
    end

    def self.build(
      name
    )
      new(name)
    end

    class << self
      def hidden; end
    end

    def ==(other) = name == other.name
    def open?
      true
    end
    alias_method :shut?, :closed?
  end

  class Other::Nested; end
  Point = Struct.new(:x, :y) do
    def sum
      x + y
    end
  end
end

def top; 1; end
