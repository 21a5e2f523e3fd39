"""Audits: find cues that a model relies on over a whole data set, and prove that they cause its decisions."""

from seewhy.audits.config import AuditConfig
from seewhy.audits.findings import Finding, Findings
from seewhy.audits.run import audit

__all__ = ["AuditConfig", "Finding", "Findings", "audit"]
