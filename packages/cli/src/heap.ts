import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/** Configures the heap. It applies only to modules that are loaded later. */
export const tuneHeap = (): void => {
  // By default, V8 lets the heap grow to four times its live size under heavy allocation, such as a large broadcast. Earlier collection had no
  // measurable CPU cost.
  setFlagsFromString("--heap-growing-percent=60")
  // V8 allocates directly in old space at code places whose objects mostly lived long. Nearly all objects live long while modules load. Objects of
  // requests from the same places would then also be old, and would retain the objects they refer to.
  setFlagsFromString("--no-allocation-site-pretenuring")
}

/**
 * Collects the garbage of loading and startup once, and returns the pages to the system. V8 keeps these pages until the next heavy allocation, which
 * can take hours on an idle service.
 */
export const collectStart = (): void => {
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc") as NodeJS.GCFunction
  setFlagsFromString("--no-expose-gc")
  collect({ type: "major", execution: "sync", flavor: "last-resort" })
}
