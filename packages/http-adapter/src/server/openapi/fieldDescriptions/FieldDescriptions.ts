/** By the name of a component, the id of an operation or the type of an event, then by path: `throttle.perMinute`. */
export type FieldDescriptions = Readonly<Record<string, Readonly<Record<string, string>>>>
