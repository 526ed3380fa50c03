import { Layer } from "effect"
import { chatWorks } from "./chat/index.ts"
import { crmWorks } from "./crm/index.ts"
import { deliveriesWorks } from "./deliveries/index.ts"
import { layerDeliverySources } from "./DeliverySources.ts"
import { docsHandoffWorks } from "./docs-handoff/index.ts"
import { eventsWorks, layerFollowedLogs } from "./events/index.ts"
import { filesWorks } from "./files/index.ts"
import { identityWorks } from "./identity/index.ts"
import { inboxWorks } from "./inbox/index.ts"
import { layerJobKinds } from "./JobKinds.ts"
import { jobsWorks } from "./jobs/index.ts"
import { mailWorks } from "./mail/index.ts"
import { layerSubscribers } from "./Subscribers.ts"
import { kernelWorks, layerWorkersOf, type WorkersOptions } from "./work/index.ts"

/** Everything that is done in the background: the works of all areas. */
export const works = [
  ...inboxWorks,
  ...deliveriesWorks,
  ...chatWorks,
  ...jobsWorks,
  ...eventsWorks,
  ...identityWorks,
  ...mailWorks,
  ...crmWorks,
  // After whatever names files.
  ...filesWorks,
  ...docsHandoffWorks,
  ...kernelWorks
] as const

/** Does everything that is to be done in the background, in this process, beside whatever else it does. */
export const layerWorkers = (options?: WorkersOptions) =>
  layerWorkersOf(works, options).pipe(
    Layer.provide([layerDeliverySources, layerJobKinds, Layer.provide(layerFollowedLogs, layerSubscribers)])
  )
