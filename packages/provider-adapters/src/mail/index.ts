export * from "./Smtp.ts"
