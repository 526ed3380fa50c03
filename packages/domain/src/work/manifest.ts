import { defineArea } from "../kernel/index.ts"
import { kernelWorks } from "./kernelWorks.ts"

/** What this area says of itself. */
export const workArea = defineArea({
  name: "work",
  works: kernelWorks
})
