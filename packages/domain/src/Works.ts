import { Layer } from "effect"
import { layerAccountSenders } from "./AccountSenders.ts"
import { ofAllAreas } from "./areas.ts"
import { layerDeliverySources } from "./DeliverySources.ts"
import { layerEventResources } from "./EventResources.ts"
import { layerFollowedLogs } from "./platform/events/index.ts"
import { layerJobKinds } from "./JobKinds.ts"
import { layerSubscribers } from "./Subscribers.ts"
import { layerBackgroundHealth, layerWorkersOf, type WorkersOptions } from "./platform/background/index.ts"

/** Everything that is done in the background: the works of all areas. Bytes of files go after whatever names files. */
export const works = ofAllAreas("works")

/** Does everything that is to be done in the background, in this process, beside whatever else it does. */
export const layerWorkers = (options?: WorkersOptions) =>
  layerWorkersOf(works, options).pipe(
    Layer.provide([
      layerAccountSenders,
      layerDeliverySources,
      layerEventResources,
      layerJobKinds,
      Layer.provide(layerFollowedLogs, layerSubscribers)
    ]),
    Layer.provide(layerBackgroundHealth)
  )
