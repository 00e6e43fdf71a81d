//! Calls every operation of axiom-rs that the emulator has.
use axiom_rs::annotations::requests::{Create, List, Update};
use axiom_rs::datasets::{ContentEncoding, ContentType, QueryOptions};
use axiom_rs::Client;
use chrono::DateTime;
use serde_json::json;
use url::Url;

type Outcome = Result<(), Box<dyn std::error::Error>>;

async fn call_datasets(client: &Client, dataset: &str) -> Outcome {
    let events = vec![
        json!({"_time": "2030-01-01T00:00:00Z", "status": 500}),
        json!({"_time": "2030-01-01T00:00:01Z", "status": 200}),
    ];
    assert_eq!(client.ingest(dataset, events).await?.ingested, 2);
    let plain = r#"[{"_time":"2030-01-01T00:00:02Z","status":404}]"#;
    let sent = client.ingest_bytes(dataset, plain, ContentType::Json, ContentEncoding::Identity).await?;
    assert_eq!(sent.ingested, 1);
    client.ingest_bytes(dataset, "status\n301\n", ContentType::Csv, ContentEncoding::Identity).await?;
    let apl = format!("['{dataset}'] | where status >= 200 | summarize count()");
    let found = client.query(&apl, None).await?;
    assert_eq!(found.tables[0].columns()[0][0], 4);
    let options = QueryOptions {
        start_time: Some(DateTime::from_timestamp(1_893_456_000, 0).unwrap()),
        end_time: Some(DateTime::from_timestamp(1_893_542_400, 0).unwrap()),
        include_cursor: true,
        no_cache: true,
        save: true,
        ..QueryOptions::default()
    };
    let newest = format!("['{dataset}'] | sort by _time desc | limit 1");
    let page = client.query(&newest, options.clone()).await?;
    let cursor = page.status.min_cursor.map(|cursor| cursor.to_string());
    // Without `include_cursor_field`: no source describes the field of the result, so the emulator has none.
    client.query(&newest, QueryOptions { cursor, ..options }).await?;
    Ok(())
}

async fn call_annotations(client: &Client) -> Outcome {
    let annotations = client.annotations();
    let time = DateTime::parse_from_rfc3339("2030-01-01T00:00:00Z")?;
    let end = DateTime::parse_from_rfc3339("2030-01-02T00:00:00Z")?;
    let bare = annotations.create(Create::new("deploy", vec!["web".to_string()])?).await?;
    let full = Create::builder()
        .with_type("deploy")?
        .with_datasets(vec!["web".to_string()])?
        .with_title("title")
        .with_description("text")
        .with_url(Url::parse("https://example.com")?)
        .with_time(time)?
        .with_end_time(end)?
        .build();
    annotations.create(full).await?;
    annotations.get(&bare.id).await?;
    assert_eq!(annotations.list(List::builder().build()).await?.len(), 2);
    let some = List::builder().with_datasets(vec!["web".to_string()]).with_start(time)?.with_end(end)?.build();
    assert_eq!(annotations.list(some).await?.len(), 1);
    let changes = Update::builder()
        .with_type("deployed")?
        .with_datasets(vec!["web".to_string(), "api".to_string()])
        .with_title("changed")
        .with_description("text")
        .with_url(Url::parse("https://example.com")?)
        .with_time(time)?
        .with_end_time(end)?
        .build()?;
    annotations.update(&bare.id, changes).await?;
    annotations.delete(&bare.id).await?;
    Ok(())
}

#[tokio::main]
async fn main() -> Outcome {
    let url = std::env::var("AXIOM_URL")?;
    let client = Client::builder().build()?;
    call_datasets(&client, "web").await?;
    call_annotations(&client).await?;
    call_datasets(&Client::builder().with_edge_url(url).build()?, "edge").await
}
