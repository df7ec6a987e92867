-- Each balance transaction of the provider is posted once.
create unique index concurrently if not exists journals_once_per_provider_ref on journals (provider_ref) where provider_ref is not null;
