import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { categoriesQuery } from '../../api/queries.ts'
import { conditionNames, isCondition } from '../../rules/listing.ts'
import { fitting } from '../../rules/text.ts'
import type { SectionProps } from './section.ts'
import classes from './CreateListingPage.module.css'

const conditions = Object.entries(conditionNames).map(([value, label]) => ({ value, label }))
const arrow = <IconChevronDown size={16} aria-hidden="true" />

export function BasicInformation({ draft, problems, onChange }: SectionProps) {
  const { data: categories } = useQuery(categoriesQuery)
  const choices = (categories ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  return (
    <section aria-labelledby="basic-information" className={classes.section}>
      <h2 id="basic-information">Basic Information</h2>
      <TextInput
        name="title"
        label="Title"
        required
        maxLength={200}
        placeholder="What is it? Brand, model, size"
        value={draft.title}
        error={problems.title}
        onChange={(event) => onChange({ title: event.currentTarget.value })}
      />
      <Textarea
        name="description"
        label="Description"
        rows={5}
        placeholder="Condition, age, what comes with it, anything a buyer should know"
        value={draft.description}
        onChange={(event) => onChange({ description: fitting(event.currentTarget.value, 5_000) })}
      />
      <div className={classes.pair}>
        <NativeSelect
          name="categoryId"
          label="Category"
          required
          rightSection={arrow}
          data={[{ value: '', label: 'Choose a category' }, ...choices]}
          value={draft.categoryId}
          error={problems.categoryId}
          onChange={(event) => onChange({ categoryId: event.currentTarget.value })}
        />
        <NativeSelect
          name="condition"
          label="Condition"
          required
          rightSection={arrow}
          data={conditions}
          value={draft.condition}
          onChange={(event) =>
            isCondition(event.currentTarget.value) && onChange({ condition: event.currentTarget.value })
          }
        />
      </div>
      <TextInput
        name="location"
        label="Location"
        placeholder="City or area"
        value={draft.location}
        onChange={(event) => onChange({ location: fitting(event.currentTarget.value, 200) })}
      />
    </section>
  )
}
