import { Link } from 'react-router-dom'
import { site } from '../../api/client/site.ts'
import { LegalPage } from './LegalPage.tsx'

export function PrivacyPage() {
  return (
    <LegalPage title="Privacy Policy">
      <p>This policy explains what data we collect, why, and what choices you have.</p>

      <h2>Data we collect</h2>
      <ul>
        <li>Your account: email address, name and picture, as our sign-in provider gives them to us.</li>
        <li>What you do here: listings and drafts of them, bids, purchases, messages to other members and searches.</li>
        <li>Technical data: the address of your connection for a short time, to limit abuse and to count views.</li>
      </ul>
      <p>We never see or store your card number. It goes straight to our card payment provider.</p>

      <h2>What we use it for</h2>
      <p>
        To run the marketplace: to show your listings, pass on your messages, take payments and pay sellers, answer your
        questions and keep the place safe. We do not sell your data, and we do not show advertising.
      </p>

      <h2>Who can see it</h2>
      <ul>
        <li>
          Other members see your name and picture where you sell, buy from them or write to them. Bidders appear masked.
        </li>
        <li>Our sign-in and payment providers process the data their services need.</li>
        <li>Authorities, when the law requires it.</li>
      </ul>

      <h2>Cookies and local storage</h2>
      <p>
        We set cookies that keep you signed in and protect the sign-in itself. There are no tracking cookies. Your
        browser keeps a list of the last 20 listings that you viewed; we don't store it, and signing out clears it.
      </p>

      <h2>Children</h2>
      <p>
        Marketplace is not for children under 13. We do not knowingly collect data from children under 13; if we learn
        that we have, we delete it.
      </p>

      <h2>Your choices</h2>
      <p>
        You can ask us for a copy of your data, for a correction or for deletion at{' '}
        <a href={`mailto:${site.supportEmail}`}>{site.supportEmail}</a>. We reply within 24 hours. Records of payments
        are kept as long as the law asks.
      </p>

      <h2>Changes</h2>
      <p>
        We'll post changes here with a new date. See also our <Link to="/terms">Terms and Conditions</Link>.
      </p>
    </LegalPage>
  )
}
