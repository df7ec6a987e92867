import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { MoneyInput } from '../../../ui/inputs/MoneyInput.tsx'
import { AuctionPricing } from './AuctionPricing.tsx'
import { ChargeWarning } from './ChargeWarning.tsx'
import type { SectionProps } from '../section.ts'
import classes from '../CreateListingPage.module.css'

interface Props extends SectionProps {
  /** True if the form edits an existing listing, whose auction setting and original price the seller cannot change. */
  isEdit?: boolean
}

function FixedPricing({ draft, problems, onChange, isEdit }: Props) {
  return (
    <>
      <MoneyInput
        name="price"
        label="Price"
        required
        value={draft.price}
        error={problems.price}
        onChange={(event) => onChange({ price: event.currentTarget.value })}
      />
      <Checkbox
        name="isOnSale"
        label="On sale"
        description="Show the previous price crossed out"
        checked={draft.isOnSale}
        onChange={(event) => onChange({ isOnSale: event.currentTarget.checked })}
      />
      {draft.isOnSale && !isEdit && (
        <MoneyInput
          name="originalPrice"
          label="Original price"
          value={draft.originalPrice}
          error={problems.originalPrice}
          onChange={(event) => onChange({ originalPrice: event.currentTarget.value })}
        />
      )}
      <Checkbox
        name="acceptOffers"
        label="Accept offers"
        description="Let buyers suggest a different price"
        checked={draft.acceptOffers}
        onChange={(event) => onChange({ acceptOffers: event.currentTarget.checked })}
      />
    </>
  )
}

export function Pricing(props: Props) {
  const { draft, problems, onChange, isEdit } = props
  return (
    <section aria-labelledby="pricing" className={classes.section}>
      <h2 id="pricing">Pricing</h2>
      {!isEdit && (
        <Checkbox
          name="isAuction"
          label="Sell as an auction"
          description="The highest bid wins when the auction ends"
          checked={draft.isAuction}
          onChange={(event) => onChange({ isAuction: event.currentTarget.checked })}
        />
      )}
      {draft.isAuction ? <AuctionPricing {...props} /> : <FixedPricing {...props} />}
      <MoneyInput
        name="shippingCost"
        label="Shipping cost"
        description="Enter 0 for free shipping"
        min="0"
        value={draft.shippingCost}
        error={problems.shippingCost}
        onChange={(event) => onChange({ shippingCost: event.currentTarget.value })}
      />
      <ChargeWarning draft={draft} />
    </section>
  )
}
