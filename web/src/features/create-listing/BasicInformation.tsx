import { useQuery } from '@tanstack/react-query'
import { categoriesQuery } from '../../api/queries/queries.ts'
import { conditionNames, isCondition } from '../../rules/listing.ts'
import { NativeSelect } from '../../ui/controls/NativeSelect.tsx'
import { TextInput } from '../../ui/controls/TextInput.tsx'
import { Textarea } from '../../ui/controls/Textarea.tsx'
import { characterLimit } from '../../ui/inputs/character-limit.ts'
import { maxLengths } from './validate-draft.ts'
import type { SectionProps } from './section.ts'
import classes from './CreateListingPage.module.css'

const conditions = Object.entries(conditionNames).map(([value, label]) => ({ value, label }))

export function BasicInformation({ draft, problems, onChange }: SectionProps) {
  const { data: categories } = useQuery(categoriesQuery)
  const choices = (categories ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  const ofTitle = characterLimit({ name: 'Title', text: draft.title, max: maxLengths.title })
  return (
    <section aria-labelledby="basic-information" className={classes.section}>
      <h2 id="basic-information">Basic Information</h2>
      <TextInput
        {...ofTitle}
        name="title"
        label="Title"
        required
        placeholder="Brand, model, size, color"
        value={draft.title}
        error={ofTitle.error ?? problems.title}
        onChange={(event) => onChange({ title: event.currentTarget.value })}
      />
      <Textarea
        {...characterLimit({ name: 'Description', text: draft.description, max: maxLengths.description })}
        name="description"
        label="Description"
        rows={5}
        placeholder="Condition, age, what's included and anything else buyers should know"
        value={draft.description}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
      <div className={classes.pair}>
        <NativeSelect
          name="categoryId"
          label="Category"
          required
          data={[{ value: '', label: 'Choose a category' }, ...choices]}
          value={draft.categoryId}
          error={problems.categoryId}
          onChange={(event) => onChange({ categoryId: event.currentTarget.value })}
        />
        <NativeSelect
          name="condition"
          label="Condition"
          required
          data={conditions}
          value={draft.condition}
          onChange={(event) =>
            isCondition(event.currentTarget.value) && onChange({ condition: event.currentTarget.value })
          }
        />
      </div>
      <TextInput
        {...characterLimit({ name: 'Location', text: draft.location, max: maxLengths.location })}
        name="location"
        label="Location"
        placeholder="City or area"
        value={draft.location}
        onChange={(event) => onChange({ location: event.currentTarget.value })}
      />
    </section>
  )
}
