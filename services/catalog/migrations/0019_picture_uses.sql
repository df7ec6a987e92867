-- The newest revision with the picture. Null while the current terms have the picture, and in rows of earlier versions.
alter table picture_uses add column last_terms_version integer;
