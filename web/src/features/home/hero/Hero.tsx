import { useInfiniteQuery } from '@tanstack/react-query'
import { IconBolt, IconShieldCheck, IconUsersGroup } from '@tabler/icons-react'
import { useState } from 'react'
import { listingsQuery } from '../../../api/queries/queries.ts'
import { isFirstLoad } from '../../../api/queries/retry-interval.ts'
import { PageHeading } from '../../../ui/page/PageHeading.tsx'
import { Picture } from '../../../ui/listing/Picture.tsx'
import { SearchBox } from '../../../search/SearchBox.tsx'
import { heroPictures, type HeroPicture } from './hero-pictures.ts'
import { railFilters } from '../rails/rails.ts'
import { Trending } from './Trending.tsx'
import { useChangeParams } from '../filters/use-change-params.ts'
import classes from './Hero.module.css'

const blurbs = [
  { icon: IconBolt, heading: 'Fast Search', text: 'Find what you want in a few keystrokes, typos and all.' },
  {
    icon: IconShieldCheck,
    heading: 'Secure & Safe',
    text: 'Pay by card. You see the total, fee included, before you pay.',
  },
  { icon: IconUsersGroup, heading: 'Community', text: 'Buy from real people. Message them before you buy.' },
]

/**
 * Returns pictures of the newest listings and of those that end soonest, except the pictures in `broken`. Returns
 * undefined while the listings load.
 */
function useHeroPictures(broken: string[]): HeroPicture[] | undefined {
  const newest = useInfiniteQuery(listingsQuery(railFilters.newest))
  const byEnd = useInfiniteQuery(listingsQuery(railFilters.byEnd))
  const listings = [newest, byEnd].flatMap(({ data }) => data?.items ?? [])
  const pictures = heroPictures(listings, broken)
  const isLoading = isFirstLoad(newest) || (pictures.length === 0 && isFirstLoad(byEnd))
  return isLoading ? undefined : pictures
}

/**
 * The pictures beside the text of the hero. They load lazily, so that a narrow screen, where they are hidden, does not
 * fetch them.
 */
function PictureWall({ pictures, onBroken }: { pictures: HeroPicture[]; onBroken: (picture: string) => void }) {
  return (
    <div className={classes.frame} aria-hidden="true">
      <div className={classes.wall}>
        {pictures.map(({ url, facts }) => (
          <div key={url} className={classes.tile}>
            <Picture src={url} facts={facts} alt="" shown="tile" onBroken={() => onBroken(url)} />
          </div>
        ))}
      </div>
    </div>
  )
}

export function Hero() {
  const change = useChangeParams()
  const [broken, setBroken] = useState<string[]>([])
  const pictures = useHeroPictures(broken)
  const isPlain = pictures?.length === 0
  return (
    <>
      <section className={classes.hero} data-plain={isPlain || undefined} aria-label="Welcome">
        <div className={classes.words}>
          <PageHeading className={classes.heading}>Buy and sell secondhand finds</PageHeading>
          <p className={classes.lead}>Buy now or bid in live auctions.</p>
          <SearchBox label="Search listings" size="lg" withButton onSearch={(term) => change({ search: term })} />
          <Trending />
        </div>
        {!isPlain && (
          <PictureWall pictures={pictures ?? []} onBroken={(picture) => setBroken((others) => [...others, picture])} />
        )}
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
