"""What can be asked, each declared once."""
