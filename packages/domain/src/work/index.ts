export * from "./kernelWorks.ts"
export * from "./Work.ts"
export * from "./Workers.ts"
