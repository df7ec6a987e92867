import { useInfiniteQuery } from '@tanstack/react-query'
import { IconBolt, IconShieldCheck, IconUsersGroup } from '@tabler/icons-react'
import { listingsQuery } from '../../api/queries.ts'
import { PageHeading } from '../../ui/PageHeading.tsx'
import { Picture } from '../../ui/Picture.tsx'
import { SearchBox } from '../../search/SearchBox.tsx'
import { railFilters } from './rails.ts'
import { Trending } from './Trending.tsx'
import { useChangeParams } from './use-change-params.ts'
import classes from './Hero.module.css'

const blurbs = [
  { icon: IconBolt, heading: 'Fast Search', text: 'The right thing in a few letters, typing errors included.' },
  {
    icon: IconShieldCheck,
    heading: 'Secure & Safe',
    text: 'Pay by card. You see the fee and the total first.',
  },
  { icon: IconUsersGroup, heading: 'Community', text: 'Real people selling real things. Ask them before you buy.' },
]

/** Hero.module.css hides the others there, and what is lazy and hidden is not fetched. */
const shownOnPhones = 5

/** Fewer would leave holes in the wall. */
const fewestPictures = 5
const mostPictures = 9

/** The newest listings' pictures; the wall keeps its place while they load. */
function PictureWall() {
  const { data } = useInfiniteQuery(listingsQuery(railFilters.newest))
  const listings = data?.pages[0]?.listings ?? []
  const all = [...new Set(listings.flatMap(({ image_urls_parsed: images }) => images.slice(0, 1)))]
  const pictures = all.length < fewestPictures ? [] : all.slice(0, mostPictures)
  return (
    <div className={classes.backdrop} aria-hidden="true">
      <div className={classes.wall}>
        {pictures.map((picture, index) => (
          <div key={picture} className={classes.tile}>
            <Picture src={picture} alt="" isEager={index < shownOnPhones} />
          </div>
        ))}
      </div>
    </div>
  )
}

export function Hero() {
  const change = useChangeParams()
  return (
    <>
      <section className={classes.hero} aria-label="Welcome">
        <PictureWall />
        <div className={classes.words}>
          <PageHeading className={classes.heading}>Good things are waiting for a second owner</PageHeading>
          <p className={classes.lead}>Buy at a fixed price, or bid and see how far it goes.</p>
          <SearchBox label="Search listings" size="lg" withButton onSearch={(term) => change({ search: term })} />
          <Trending />
        </div>
      </section>
      <ul className={classes.blurbs}>
        {blurbs.map((blurb) => (
          <li key={blurb.heading} className={classes.blurb}>
            <blurb.icon className={classes.icon} size={24} stroke={1.6} aria-hidden="true" />
            <div>
              <h2 className={classes.blurbHeading}>{blurb.heading}</h2>
              <p>{blurb.text}</p>
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}
