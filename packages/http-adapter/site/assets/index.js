/**
 * @typedef {{ id: string, summary: string, method: string, path: string, href: string, feature: string | null }} IndexedOperation
 * @typedef {{ name: string, path: string, operations: ReadonlyArray<IndexedOperation> }} IndexedArea
 */

/** @type {Promise<ReadonlyArray<IndexedArea>> | undefined} */
let areas

/** Areas of the contract with their operations, read once per page. */
export const loadAreas = () => {
  areas ??= fetch("/docs/reference.json").then(async (response) => {
    if (!response.ok) throw new Error(`/docs/reference.json answered ${response.status}.`)
    return (await response.json()).areas
  })
  return areas
}

/** Path of the error codes in the reference. */
export const errorsPath = "/docs/reference/errors"

/** Address of an error code in the reference. @param {string} code */
export const problemHref = (code) => `${errorsPath}#problem/${encodeURIComponent(code)}`

/** Path of an area in the reference. @param {string} name */
export const areaPath = (name) => `/docs/reference/${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`
