-- Words with the first letter of a mistyped one and about its length.
create index vocabulary_first_letter on vocabulary (left(word, 1), length(word));
