import { IconCircleCheck } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, type SubmitEvent } from 'react'
import { useNavigate } from 'react-router-dom'
import { preferencesQuery, savePreferences } from '../../api/queries/preferences.ts'
import { isFirstLoad } from '../../api/queries/retry-interval.ts'
import type { Preferences } from '../../api/client/types.ts'
import { useSingleMutation } from '../../api/client/use-single-mutation.ts'
import { ButtonLink } from '../../ui/controls/Button.tsx'
import { Alert } from '../../ui/feedback/Alert.tsx'
import { BusyButton } from '../../ui/inputs/BusyButton.tsx'
import { PreferenceToggle } from './PreferenceToggle.tsx'
import classes from './PreferencesPage.module.css'

const homeAfterMs = 2_000
const allOff: Preferences = { deals: false, offers: false }

function Saved() {
  const navigate = useNavigate()
  useEffect(() => {
    const timer = window.setTimeout(() => void navigate('/'), homeAfterMs)
    return () => window.clearTimeout(timer)
  }, [navigate])
  return (
    <div className={classes.saved}>
      <IconCircleCheck size={48} stroke={1.4} aria-hidden="true" />
      <p>Preferences Saved!</p>
    </div>
  )
}

function useSavePreferences() {
  const queryClient = useQueryClient()
  return useSingleMutation({
    mutationFn: savePreferences,
    onSuccess: (saved) => queryClient.setQueryData(preferencesQuery.queryKey, saved),
    meta: { failure: 'Failed to save preferences:' },
  })
}

export function PreferencesForm() {
  const query = useQuery(preferencesQuery)
  const [changed, setChanged] = useState<Partial<Preferences>>({})
  const save = useSavePreferences()
  const isPending = isFirstLoad(query)
  const isUnknown = query.data === undefined && !isPending
  const preferences = { ...allOff, ...query.data, ...changed }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (!save.isPending) save.mutate(preferences)
  }

  return (
    <>
      <output>{save.isSuccess && <Saved />}</output>
      {!save.isSuccess && (
        <form className={classes.form} onSubmit={submit}>
          <PreferenceToggle
            name="deals"
            label="Deals & Great Products"
            description="Occasional picks and price drops"
            isOn={preferences.deals}
            isDisabled={isPending}
            onChange={(deals) => setChanged({ ...changed, deals })}
          />
          <PreferenceToggle
            name="offers"
            label="Seller Offers"
            description="When someone sends you an offer or responds to yours"
            isOn={preferences.offers}
            isDisabled={isPending}
            onChange={(offers) => setChanged({ ...changed, offers })}
          />
          <output className={classes.unknown}>
            {isUnknown && "We couldn't load your settings. Trying again… If you save now, both are set as shown here."}
          </output>
          <Alert
            message={save.error && 'Failed to save preferences. Please try again.'}
            onDismiss={() => save.reset()}
          />
          <div className={classes.buttons}>
            <BusyButton type="submit" disabled={isPending} isBusy={save.isPending}>
              Save Preferences
            </BusyButton>
            <ButtonLink to="/" variant="subtle">
              Skip for now
            </ButtonLink>
          </div>
        </form>
      )}
    </>
  )
}
