import type { ValueField } from "./Value.ts"

/** Something of a contact that a value needs: one of its fields, or its attribute with this key. */
export interface ContactPath {
  readonly field: ValueField
  readonly key?: string
}

/** The path as it is written in Liquid. */
export const textOfPath = ({ field, key }: ContactPath): string => (key === undefined ? field : `${field}.${key}`)

/** Each path once. */
export const distinctPaths = (paths: ReadonlyArray<ContactPath>): ReadonlyArray<ContactPath> =>
  Array.from(new Map(paths.map((path) => [textOfPath(path), path])).values())
