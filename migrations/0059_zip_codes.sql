-- contract: the centres of ZIP codes are read from a file of Purser, and no longer from a table, which a former version fills and reads

drop table zip_code;
