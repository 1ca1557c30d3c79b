"""Measurements that print figures; nothing here is a test."""
