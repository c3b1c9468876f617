import { pointAt, RIDGE, SCENE, TRAIL } from "./trail.ts";
import styles from "./route-scene.module.css";

/** The fell with the path to its summit; each step is a waymark on the path and a link to its text. */
export function RouteScene({ steps }: { steps: readonly string[] }) {
  return (
    <div className={styles.scene}>
      <svg viewBox={`0 0 ${SCENE.width} ${SCENE.height}`} preserveAspectRatio="none" aria-hidden="true">
        <path
          className={styles.far}
          d="M0 330 120 272 210 236 270 250 360 196 420 214 500 252 620 222 700 240 790 168 850 190 930 232 1040 196 1110 222 1200 176V460H0Z"
        />
        <path
          className={styles.middle}
          d="M0 380 110 338 190 352 300 300 390 328 520 296 640 340 800 300 900 322 1010 262 1080 214 1130 236 1200 222V460H0Z"
        />
        <path className={styles.near} d={RIDGE} />
        <path
          className={styles.shade}
          d="M985 74 1030 118 1066 132 1110 186 1150 204 1200 262V460H1010L1034 380 1004 316 1024 250 992 190 1004 132ZM820 186 806 240 830 300 800 352 816 430H880L862 360 886 300 852 244ZM560 300 548 344 566 388 552 430H610L596 380 604 340Z"
        />
        <path
          className={styles.crag}
          d="M930 150 942 176 936 196M900 214 914 240M1050 170 1062 198M1092 236 1100 262M760 300 770 322"
          vectorEffect="non-scaling-stroke"
        />
        <path className={styles.front} d="M0 424C160 408 300 418 430 428S700 444 860 426 1100 402 1200 410V460H0Z" />
        <path className={styles.trail} d={TRAIL} vectorEffect="non-scaling-stroke" />
      </svg>
      {steps.length > 0 && (
        <nav aria-label="Steps">
          <svg className={styles.waymarks}>
            {steps.map((label, index) => (
              <Waymark key={label} number={index + 1} label={label} share={index / (steps.length - 1)} />
            ))}
          </svg>
        </nav>
      )}
    </div>
  );
}

/** A waymark at a share of the path. It is placed by attributes: the content security policy of the page refuses inline styles. */
function Waymark({ number, label, share }: { number: number; label: string; share: number }) {
  const { x, y } = pointAt(share);
  return (
    <svg x={`${(100 * x) / SCENE.width}%`} y={`${(100 * y) / SCENE.height}%`} overflow="visible">
      <a href={`#step-${number}`}>
        <circle r="17" className={styles.plate} />
        <text y="6" className={styles.number}>
          {number}
        </text>
        <text y="-28" className={styles.label}>
          {label}
        </text>
      </a>
    </svg>
  );
}
