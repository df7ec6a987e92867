import { topics, type Topic } from './topics.ts'
import classes from './ChatPanel.module.css'

export function Topics({ onTopic, onOther }: { onTopic: (topic: Topic) => void; onOther: () => void }) {
  return (
    <ul aria-label="Topics" className={classes.topics}>
      {topics.map((topic) => (
        <li key={topic.name}>
          <button type="button" className={classes.topic} onClick={() => onTopic(topic)}>
            {topic.name}
          </button>
        </li>
      ))}
      <li>
        <button type="button" className={classes.topic} onClick={onOther}>
          Other
        </button>
      </li>
    </ul>
  )
}
