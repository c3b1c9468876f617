import { useRevalidator } from "react-router";
import { Button } from "../../ui/button.tsx";
import { Message } from "../../ui/message.tsx";
import { Spinner } from "../../ui/spinner.tsx";

interface LoadStatusProps {
  /** Undefined while the list is loading. */
  result: { ok: true; isOutdated?: true } | { ok: false; message: string } | undefined;
  /** The label of the spinner. */
  label?: string;
  /** Loads the list again after an error; without it the page loads its data again. */
  retry?: () => void;
}

/** A spinner while a list is loading, a note on an outdated one, or the error message. */
export function LoadStatus({ result, label, retry }: LoadStatusProps) {
  const { revalidate } = useRevalidator();
  if (!result) return <Spinner {...(label === undefined ? {} : { label })} />;
  if (result.ok && !result.isOutdated) return null;
  return (
    <>
      {result.ok ? (
        <p role="status">This list could not be updated.</p>
      ) : (
        <Message tone="error">
          <p>{result.message}</p>
        </Message>
      )}
      <Button look="plain" size="small" onClick={retry ?? (() => void revalidate())}>
        Try Again
      </Button>
    </>
  );
}
