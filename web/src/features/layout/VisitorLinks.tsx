import { IconHelp } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { categoriesQuery } from '../../api/queries/queries.ts'
import { rememberReturnPage } from '../../session/return-page.ts'
import { sellLink, signInLink, termsLinks } from './links.ts'
import { MenuLink } from './MenuLink.tsx'
import classes from './MobileMenu.module.css'

interface Props {
  onChosen: () => void
  onHelp: () => void
}

/** The content of the phone menu for a signed-out visitor. */
export function VisitorLinks({ onChosen, onHelp }: Props) {
  const { data: categories = [] } = useQuery(categoriesQuery)
  return (
    <>
      <MenuLink
        link={signInLink}
        onChosen={() => {
          rememberReturnPage()
          onChosen()
        }}
      />
      <MenuLink link={sellLink} onChosen={onChosen} />
      {categories.length > 0 && (
        <section aria-labelledby="menu-categories" className={classes.group}>
          <h3 id="menu-categories" className={classes.groupHeading}>
            Categories
          </h3>
          {categories.map(({ slug, name }) => (
            <Link
              key={slug}
              to={`/?${new URLSearchParams({ category: slug })}`}
              className={classes.item}
              onClick={onChosen}
            >
              {name}
            </Link>
          ))}
        </section>
      )}
      <div className={classes.group}>
        <button type="button" className={classes.item} onClick={onHelp}>
          <IconHelp size={22} stroke={1.7} aria-hidden="true" /> Help
        </button>
        {termsLinks.map((link) => (
          <MenuLink key={link.to} link={link} onChosen={onChosen} />
        ))}
      </div>
    </>
  )
}
