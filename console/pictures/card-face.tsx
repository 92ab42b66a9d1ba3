import styles from './card-face.module.css'

/** A card as its holder sees it. One that cannot pay is drawn as an outline. */
export function CardFace({
  last4,
  expires,
  holder,
  kind,
  works,
}: {
  last4: string
  /** `11/30` */
  expires: string
  holder: string
  kind: string
  works: boolean
}) {
  return (
    <div className={`${styles.face} ${works ? '' : styles.still}`} data-picture="card">
      <div className={styles.line}>
        <span className={styles.brand}>Purser</span>
        <span>{kind} debit</span>
      </div>
      <div className={styles.number}>
        <span aria-hidden="true">•••• •••• •••• </span>
        <span className="unseen">Ends in </span>
        {last4}
      </div>
      <div className={styles.line}>
        <span className={styles.holder}>{holder}</span>
        <span>
          <span className="unseen">Expires </span>
          {expires}
        </span>
      </div>
    </div>
  )
}
