"""Tests of the four rooms, of whole tables, and of whole processes."""
