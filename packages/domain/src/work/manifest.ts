import { defineArea } from "../kernel/index.ts"
import { kernelWorks } from "./kernelWorks.ts"
import { workStorage } from "./Storage.ts"

/** What this area says of itself. */
export const workArea = defineArea({
  name: "work",
  storage: workStorage,
  works: kernelWorks
})
