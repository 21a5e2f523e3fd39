"""seewhy"""
