/** The class names of a CSS module. As `string | undefined` React Aria would not take them. */
declare module '*.module.css' {
  // biome-ignore lint/suspicious/noExplicitAny: which names there are, only the style sheet knows
  const classes: Record<string, any>;
  // biome-ignore lint/style/noDefaultExport: as Vite has it
  export default classes;
}

declare module '*.css';
