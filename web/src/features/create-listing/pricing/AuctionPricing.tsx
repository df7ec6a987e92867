import { serverNow } from '../../../api/clock/server-clock.ts'
import { maxLocalInput, toLocalInput } from '../../../rules/time.ts'
import { TextInput } from '../../../ui/controls/TextInput.tsx'
import { MoneyInput } from '../../../ui/inputs/MoneyInput.tsx'
import type { SectionProps } from '../section.ts'
import classes from '../CreateListingPage.module.css'

export function AuctionPricing({ draft, problems, onChange }: SectionProps) {
  return (
    <>
      <div className={classes.pair}>
        <MoneyInput
          name="startingBid"
          label="Starting bid"
          required
          value={draft.startingBid}
          error={problems.startingBid}
          onChange={(event) => onChange({ startingBid: event.currentTarget.value })}
        />
        <MoneyInput
          name="buyItNowPrice"
          label="Buy It Now price (optional)"
          value={draft.buyItNowPrice}
          error={problems.buyItNowPrice}
          onChange={(event) => onChange({ buyItNowPrice: event.currentTarget.value })}
        />
      </div>
      <TextInput
        type="datetime-local"
        name="endsAt"
        label="Auction end date"
        required
        min={toLocalInput(new Date(serverNow()))}
        max={maxLocalInput}
        value={draft.endsAt}
        error={problems.endsAt}
        onChange={(event) => onChange({ endsAt: event.currentTarget.value })}
      />
    </>
  )
}
