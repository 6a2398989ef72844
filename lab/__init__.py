"""The lab: several hosts with links of a stated speed, on one machine. See lab/README.md."""
