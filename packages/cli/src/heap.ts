import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/** Says how the heap is kept, which counts for what is loaded after that only. */
export const tuneHeap = (): void => {
  // V8 lets a heap become four times as large as what is in use where much is made and dropped, as while a large broadcast is sent. To have it
  // collected sooner costs no CPU that could be measured.
  setFlagsFromString("--heap-growing-percent=60")
  // Where most objects that a place in the code makes live long, V8 puts what is made there among the old ones from the start. While modules are
  // loaded nearly all live long, so what requests make at the same places would be old as well, and would keep alive what it refers to.
  setFlagsFromString("--no-allocation-site-pretenuring")
}

/**
 * Collects what loading and starting left behind, once, and has V8 give its pages back. By itself V8 keeps them until as much was made again, which
 * may be hours where little is asked.
 */
export const collectStart = (): void => {
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc") as NodeJS.GCFunction
  setFlagsFromString("--no-expose-gc")
  collect({ type: "major", execution: "sync", flavor: "last-resort" })
}
