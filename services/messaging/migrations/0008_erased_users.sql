-- Erased people. A request of a person that waited for the erasure, and a first message about a listing whose title catalog has not erased
-- yet, recognize the erasure here. A row is an id without personal data and is kept.
create table erased_users (
  user_id uuid primary key
);
