-- One row per person and provider. The e-mail is what the provider says, verified or not; it never finds an account.
create table accounts (
  id uuid primary key,
  provider text not null,
  subject text not null check (length(subject) between 1 and 255),
  email text not null,
  name text not null check (length(name) between 1 and 100),
  picture text check (length(picture) <= 2048),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  -- A first sign-in many times at once makes one account.
  unique (provider, subject)
);

-- A session is a family of refresh tokens, each the successor of the one before.
create table sessions (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  created_at timestamptz not null,
  -- The current refresh token's end.
  expires_at timestamptz not null,
  revoked_at timestamptz
);

-- The sweep of ended sessions.
create index sessions_expiry on sessions (expires_at);

create table refresh_tokens (
  -- SHA-256; the token itself is stored nowhere.
  hash bytea primary key check (length(hash) = 32),
  session_id uuid not null references sessions (id) on delete cascade,
  expires_at timestamptz not null,
  -- When its successor was given; null for the current one.
  replaced_at timestamptz
);

-- A session has one current token. Also serves the cascade from sessions, together with the next.
create unique index refresh_tokens_current on refresh_tokens (session_id) where replaced_at is null;
create index refresh_tokens_session on refresh_tokens (session_id);
-- The sweep of tokens that are over by themselves.
create index refresh_tokens_expiry on refresh_tokens (expires_at);

-- Login transactions that signed somebody in; their cookie is worthless from then on.
create table used_logins (
  id uuid primary key,
  expires_at timestamptz not null
);

-- The sweep of logins whose cookie is over anyway.
create index used_logins_expiry on used_logins (expires_at);

create table signing_keys (
  id uuid primary key,
  -- Published from the moment the row exists.
  public_jwk json not null,
  -- The private key, encrypted with a key made of SESSION_SECRET.
  sealed text not null,
  -- The newest key whose time has come signs.
  signs_from timestamptz not null unique
);
