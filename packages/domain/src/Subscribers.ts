import { ofAllAreas } from "./areas.ts"
import {
  forgetSubscriberOf,
  layerSubscribersOf,
  listSubscribersOf,
  rewindSubscriberOf
} from "./platform/events/index.ts"
import { showWorkersOf } from "./platform/operations/index.ts"

const all = ofAllAreas("reactions")

/** Everybody who follows the logs of events: the reactions of all areas. */
export const layerSubscribers = layerSubscribersOf(all)

/** Shows who follows the logs of events, and what holds them up. */
export const listSubscribers = listSubscribersOf(all)

/** Sets a subscriber back in an organization's log. */
export const rewindSubscriber = rewindSubscriberOf(all)

/** Forgets a subscriber that no area has any more. */
export const forgetSubscriber = forgetSubscriberOf(all)

/** Shows who does what in the background, and how far behind each work and each subscriber is. */
export const showWorkers = showWorkersOf(all)
