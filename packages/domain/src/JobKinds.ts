import { changeContactsJob, deleteContactFieldJob, importContactsJob, mergeTagsJob } from "./crm/index.ts"
import { layerJobKindsOf } from "./jobs/index.ts"

/** Every kind of job there is: the kinds of all areas. */
export const layerJobKinds = layerJobKindsOf([
  changeContactsJob,
  deleteContactFieldJob,
  importContactsJob,
  mergeTagsJob
])
