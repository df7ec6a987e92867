import type { ReactNode } from 'react'
import { BasicInformation } from './BasicInformation.tsx'
import { Images } from './Images.tsx'
import { Pricing } from './pricing/Pricing.tsx'
import type { ListingFormState } from './use-listing-form.ts'
import classes from './CreateListingPage.module.css'

interface Props {
  form: ListingFormState
  isEdit?: boolean
  /** Errors and buttons, at the end of the form. */
  children: ReactNode
}

/** The form with the fields of a listing, used for creating and for editing it. */
export function ListingForm({ form, isEdit = false, children }: Props) {
  const { ref, section, images, submit, validateOnBlur } = form
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- It handles the blur events of fields.
    <form
      ref={ref}
      noValidate
      className={classes.form}
      onSubmit={submit}
      onBlur={({ target }) => validateOnBlur(target.getAttribute('name') ?? '')}
    >
      <BasicInformation {...section} />
      <Pricing {...section} isEdit={isEdit} />
      <Images {...section} {...images} />
      {children}
    </form>
  )
}
