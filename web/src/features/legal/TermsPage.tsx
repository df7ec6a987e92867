import { Link } from 'react-router-dom'
import { site } from '../../api/client/site.ts'
import { LegalPage } from './LegalPage.tsx'

export function TermsPage() {
  return (
    <LegalPage title="Terms and Conditions">
      <p>
        Marketplace is a place where people sell things to each other, at a fixed price or by auction. By using it you
        agree to these terms.
      </p>

      <h2>Your account</h2>
      <p>
        You sign in with your email through our sign-in provider, and your first sign-in creates the account. Keep
        access to that email safe: you're responsible for what happens in your account.
      </p>

      <h2>Selling</h2>
      <ul>
        <li>
          List only items you own and may sell. Describe them accurately and use photos you have the right to use.
        </li>
        <li>A listing is an offer: whoever buys it or wins the auction is entitled to it at that price.</li>
        <li>You may not buy or bid on your own listings, nor have others do so for you.</li>
        <li>Send the item promptly after payment, to the address the buyer gives you.</li>
      </ul>

      <h2>Buying and bidding</h2>
      <ul>
        <li>Bids are binding. The highest bid when the auction ends wins and must be paid within 48 hours.</li>
        <li>Starting a checkout holds the item for you for 10 minutes. Closing the payment dialog releases it.</li>
        <li>You pay by card. Prices are in US dollars, and the total is shown before you pay.</li>
      </ul>

      <h2>Fees</h2>
      <p>
        We charge a marketplace fee of 5% of the item price to the buyer, shown before payment, and keep 5% of the item
        price from what the seller receives. Shipping goes to the seller in full.
      </p>

      <h2>What is not allowed</h2>
      <p>
        No stolen, counterfeit, dangerous or illegal goods; no harassment, spam or attempts to trade around the
        marketplace; nothing that harms the service or the people on it. We may remove listings and close accounts that
        do.
      </p>

      <h2>Our part</h2>
      <p>
        We run the marketplace and the payments; the sale itself is between buyer and seller. Where money was taken and
        the item could not be given, we refund the buyer. We do our best to keep the service running and correct, and
        can't guarantee it will never fail.
      </p>

      <h2>Changes and questions</h2>
      <p>
        If we change these terms we say so here, with a new date. Questions go to{' '}
        <a href={`mailto:${site.supportEmail}`}>{site.supportEmail}</a>; we reply within 24 hours. How we treat your
        data is in our <Link to="/privacy">Privacy Policy</Link>.
      </p>
    </LegalPage>
  )
}
