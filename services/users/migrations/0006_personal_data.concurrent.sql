-- An account by email address, for a request about personal data.
create index concurrently if not exists accounts_by_email on accounts (email);
-- All sessions of a person, ended ones too.
create index concurrently if not exists sessions_of_person on sessions (account_id);
-- The stored exports of a person.
create index concurrently if not exists personal_data_requests_of_account on personal_data_requests (account_id, kind);
