-- Adds all shards; the graph named here is not used, since each line names its own. Usage: isql-vt 1111 dba < load-virtuoso.sql
log_enable(2);
delete from DB.DBA.load_list where ll_file like '{{folder}}/%';
ld_dir('{{folder}}', '*.nq.gz', 'urn:paperkg:unused');
rdf_loader_run();
checkpoint;
-- Each file must have state 2 and no error:
select ll_file, ll_state, ll_error from DB.DBA.load_list where ll_file like '{{folder}}/%';
