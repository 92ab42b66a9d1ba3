-- expand: which persons made or rotated a key, and cannot sign what it proposes; a former version notes none

alter table api_key add column makers bigint[] not null default '{}', add column maker_inviters bigint[] not null default '{}';
comment on column api_key.makers is 'The persons who made or rotated the key, or a key that did.';
comment on column api_key.maker_inviters is 'The persons who had invited the makers.';

alter table proposal add column proposer_makers bigint[] not null default '{}';
comment on column proposal.proposer_makers is 'The persons who had made the key that proposed, and do not sign for it.';
comment on column proposal.proposer_inviters is 'The persons who invited the proposer or the makers of the key, and do not sign for them.';
